-- Since when a person bears their name: whoever takes a name after a reply was reported under it is
-- not the one whom the reply names.
ALTER TABLE users ADD COLUMN named_at BIGINT NOT NULL DEFAULT 0;
UPDATE users SET named_at = coalesce((SELECT max(a.at) FROM audit a WHERE a.action = 'user.name' AND a.subject = users.id), created_at);
