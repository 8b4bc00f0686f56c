-- DropIndex
DROP INDEX "audit_events_at_idx";

-- DropIndex
DROP INDEX "audit_events_client_id_at_idx";

-- DropIndex
DROP INDEX "audit_events_type_at_idx";

-- DropIndex
DROP INDEX "audit_events_user_id_at_idx";

-- DropIndex
DROP INDEX "grants_client_id_idx";

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "last_name_key" TEXT,
ADD COLUMN     "name_key" TEXT;

-- Keys compare byte by byte, as on SQLite: only so an index finds what begins with a text.
ALTER TABLE "users" ALTER COLUMN "username_key" TYPE TEXT COLLATE "C",
ALTER COLUMN "email_key" TYPE TEXT COLLATE "C",
ALTER COLUMN "last_name_key" TYPE TEXT COLLATE "C",
ALTER COLUMN "name_key" TYPE TEXT COLLATE "C";

UPDATE "users" SET "name_key" = lower(normalize(trim("name"), NFKC)),
"last_name_key" = substring(lower(normalize(trim("name"), NFKC)) FROM '\S+$')
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
    "id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "brand_logo_pkey" PRIMARY KEY ("id")
);
