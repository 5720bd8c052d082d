-- An account for which a program plays is marked as a bot's, for good: its ratings and games are those of the program.
ALTER TABLE accounts ADD COLUMN bot BIGINT NOT NULL DEFAULT 0;
UPDATE accounts SET bot = 1 WHERE id IN (SELECT account FROM api_tokens);
