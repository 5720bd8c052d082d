-- Games that were played in a browser and saved to an account: their results are claims of their players. Version 0.2
-- did not mark them. It stored them as ended when they were created, which no other game is.
ALTER TABLE tables ADD COLUMN unverified BIGINT NOT NULL DEFAULT 0;
UPDATE tables SET unverified = 1, settings = REPLACE(settings, '"take_back":', '"unverified":true,"take_back":')
    WHERE status = 'ended' AND created = updated AND rated = 0 AND listed = 0 AND reason <> 'aborted';
UPDATE events SET payload = REPLACE(payload, '"take_back":', '"unverified":true,"take_back":')
    WHERE version = 1 AND table_number IN (SELECT number FROM tables WHERE unverified = 1);
