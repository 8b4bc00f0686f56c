-- DropIndex
DROP INDEX "audit_events_type_at_idx";

-- DropIndex
DROP INDEX "audit_events_client_id_at_idx";

-- DropIndex
DROP INDEX "audit_events_user_id_at_idx";

-- DropIndex
DROP INDEX "audit_events_at_idx";

-- DropIndex
DROP INDEX "grants_client_id_idx";

-- AlterTable
ALTER TABLE "users" ADD COLUMN "last_name_key" TEXT;
ALTER TABLE "users" ADD COLUMN "name_key" TEXT;

-- The last word: what is left when everything up to the last space is taken away.
UPDATE "users" SET "name_key" = lower(trim("name")),
"last_name_key" = lower(replace(trim("name"), rtrim(trim("name"), replace(trim("name"), ' ', '')), ''))
WHERE "name" IS NOT NULL;

-- What was counted so far, as the sum over all clients.
INSERT INTO "usage_counters" ("hour", "name", "client_id", "value")
SELECT "hour", "name", '*', sum("value") FROM "usage_counters" GROUP BY "hour", "name";

-- CreateIndex
CREATE INDEX "audit_events_at_id_idx" ON "audit_events"("at", "id");

-- CreateIndex
CREATE INDEX "audit_events_user_id_at_id_idx" ON "audit_events"("user_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_events_client_id_at_id_idx" ON "audit_events"("client_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_events_actor_at_id_idx" ON "audit_events"("actor", "at", "id");

-- CreateIndex
CREATE INDEX "audit_events_type_at_id_idx" ON "audit_events"("type", "at", "id");

-- CreateIndex
CREATE INDEX "client_secrets_created_at_idx" ON "client_secrets"("created_at");

-- CreateIndex
CREATE INDEX "grants_client_id_id_idx" ON "grants"("client_id", "id");

-- CreateIndex
CREATE INDEX "throttles_blocked_until_idx" ON "throttles"("blocked_until");

-- CreateIndex
CREATE INDEX "usage_counters_client_id_hour_idx" ON "usage_counters"("client_id", "hour");

-- CreateIndex
CREATE INDEX "users_name_key_idx" ON "users"("name_key");

-- CreateIndex
CREATE INDEX "users_last_name_key_idx" ON "users"("last_name_key");

-- CreateIndex
CREATE INDEX "users_is_admin_id_idx" ON "users"("is_admin", "id");

-- CreateIndex
CREATE INDEX "users_disabled_at_id_idx" ON "users"("disabled_at", "id");

-- CreateTable
CREATE TABLE "brand_logo" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "bytes" BLOB NOT NULL
);
