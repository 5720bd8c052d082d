-- The owner of a table is the node that lets its programs think and its flags fall.
ALTER TABLE tables RENAME COLUMN needs_care TO needs_owner;
DROP INDEX tables_by_care;
CREATE INDEX tables_by_owner ON tables (needs_owner, node);

ALTER TABLE seeks RENAME COLUMN sitter TO occupant;
