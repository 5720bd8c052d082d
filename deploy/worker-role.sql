-- A role for `alinea worker` that can take searches and games of tournaments of programs and store their results, but can
-- neither read accounts, sessions, secrets and games nor write ratings. Run it as a superuser of PostgreSQL, once a server
-- has created the tables, and again after an upgrade; then choose a password:
--
--   sudo -u postgres psql alinea < worker-role.sql
--   sudo -u postgres psql -c '\password alinea_worker'

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'alinea_worker') THEN
        CREATE ROLE alinea_worker LOGIN;
    END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO alinea_worker;

-- The version of the schema, and when a server was last alive.
GRANT SELECT ON _sqlx_migrations, public_settings, nodes TO alinea_worker;

-- Searches.
GRANT SELECT, UPDATE, DELETE ON jobs TO alinea_worker;
GRANT SELECT, INSERT ON job_outputs TO alinea_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON job_turns TO alinea_worker;

-- Games of tournaments of programs.
GRANT SELECT, UPDATE (failure) ON contests TO alinea_worker;
GRANT SELECT, UPDATE (worker, beat, record) ON contest_games TO alinea_worker;
