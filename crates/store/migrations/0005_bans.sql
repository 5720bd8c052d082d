-- When an account was banned; zero if it is not.
ALTER TABLE accounts ADD COLUMN banned BIGINT NOT NULL DEFAULT 0;
