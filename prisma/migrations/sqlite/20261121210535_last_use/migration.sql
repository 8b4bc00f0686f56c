-- AlterTable
ALTER TABLE "clients" ADD COLUMN "last_used_at" DATETIME;

-- AlterTable
ALTER TABLE "users" ADD COLUMN "last_sign_in_at" DATETIME;

-- What is known so far
UPDATE "clients" SET "last_used_at" = (SELECT MAX("last_used_at") FROM "grants" WHERE "client_id" = "clients"."id");
UPDATE "users" SET "last_sign_in_at" = (SELECT MAX("at") FROM "audit_events" WHERE "user_id" = "users"."id" AND "type" = 'sign-in.success');
