-- What a channel is told about. The default is what every channel was told before it could be chosen.
ALTER TABLE chat_channels ADD COLUMN topics {{text}} NOT NULL DEFAULT 'sign-off question open claim'; -- separated by spaces
ALTER TABLE chat_channels ADD COLUMN only_agents {{text}} NOT NULL DEFAULT '[]'; -- JSON: ids; if both lists are empty, all agents
ALTER TABLE chat_channels ADD COLUMN only_departments {{text}} NOT NULL DEFAULT '[]'; -- JSON: names

-- Notifications that are sent as one message have the same batch, also when they are sent again; '' until the first try. What
-- a destination may be told together waits until quiet_until.
ALTER TABLE notify_outbox ADD COLUMN batch {{text}} NOT NULL DEFAULT '';
ALTER TABLE chat_channels ADD COLUMN quiet_until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE notify_places ADD COLUMN quiet_until BIGINT NOT NULL DEFAULT 0;
