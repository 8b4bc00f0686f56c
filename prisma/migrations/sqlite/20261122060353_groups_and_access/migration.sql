-- AlterTable
ALTER TABLE "mailed_links" ADD COLUMN "groups" TEXT;

-- AlterTable
ALTER TABLE "users" ADD COLUMN "role" TEXT;

-- CreateTable
CREATE TABLE "user_groups" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "description" TEXT,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "group_members" (
    "group_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,

    PRIMARY KEY ("group_id", "user_id"),
    CONSTRAINT "group_members_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "user_groups" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "group_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "user_fields" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "label" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "editor" TEXT NOT NULL DEFAULT 'admin',
    "scope" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "user_field_values" (
    "user_id" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "value_key" TEXT NOT NULL,

    PRIMARY KEY ("user_id", "field"),
    CONSTRAINT "user_field_values_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "user_field_values_field_fkey" FOREIGN KEY ("field") REFERENCES "user_fields" ("name") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "client_groups" (
    "client_id" TEXT NOT NULL,
    "group_id" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,

    PRIMARY KEY ("client_id", "group_id"),
    CONSTRAINT "client_groups_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "client_groups_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "user_groups" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "client_users" (
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,

    PRIMARY KEY ("client_id", "user_id"),
    CONSTRAINT "client_users_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "client_users_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "clients" ADD COLUMN "access" TEXT NOT NULL DEFAULT 'everybody';
ALTER TABLE "clients" ADD COLUMN "require_second_factor" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "clients" ADD COLUMN "max_sign_in_age" INTEGER;
ALTER TABLE "clients" ADD COLUMN "sign_in_life" INTEGER;
ALTER TABLE "clients" ADD COLUMN "networks" TEXT NOT NULL DEFAULT '';
ALTER TABLE "clients" ADD COLUMN "initiate_login_uri" TEXT;
ALTER TABLE "clients" ADD COLUMN "claim_shape" TEXT NOT NULL DEFAULT 'standard';
ALTER TABLE "clients" ADD COLUMN "groups_claim" TEXT NOT NULL DEFAULT 'groups';
ALTER TABLE "clients" ADD COLUMN "groups_prefix" TEXT;
ALTER TABLE "clients" ADD COLUMN "group_names" TEXT NOT NULL DEFAULT '{}';
ALTER TABLE "clients" ADD COLUMN "constant_claims" TEXT NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN "brief" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "user_groups_name_key_key" ON "user_groups"("name_key");

-- CreateIndex
CREATE INDEX "user_groups_created_at_idx" ON "user_groups"("created_at");

-- CreateIndex
CREATE INDEX "group_members_user_id_idx" ON "group_members"("user_id");

-- CreateIndex
CREATE INDEX "user_field_values_field_value_key_user_id_idx" ON "user_field_values"("field", "value_key", "user_id");

-- CreateIndex
CREATE INDEX "client_groups_group_id_idx" ON "client_groups"("group_id");

-- CreateIndex
CREATE INDEX "client_users_user_id_idx" ON "client_users"("user_id");

-- A scope of that name may have been made by hand.
INSERT INTO "scopes" ("name", "description", "is_default", "sensitive", "created_at") VALUES
  ('groups', 'See which groups you’re in', false, false, 1763769600000)
ON CONFLICT ("name") DO NOTHING;
