-- Since when people bear their names.
UPDATE users SET named_at = created_at;
