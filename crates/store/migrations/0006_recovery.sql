-- The SHA-256 of a code that replaces a forgotten password once.
ALTER TABLE accounts ADD COLUMN recovery TEXT;
