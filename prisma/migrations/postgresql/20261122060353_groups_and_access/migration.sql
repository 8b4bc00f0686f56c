-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "access" TEXT NOT NULL DEFAULT 'everybody',
ADD COLUMN     "claim_shape" TEXT NOT NULL DEFAULT 'standard',
ADD COLUMN     "constant_claims" TEXT NOT NULL DEFAULT '{}',
ADD COLUMN     "group_names" TEXT NOT NULL DEFAULT '{}',
ADD COLUMN     "groups_claim" TEXT NOT NULL DEFAULT 'groups',
ADD COLUMN     "groups_prefix" TEXT,
ADD COLUMN     "initiate_login_uri" TEXT,
ADD COLUMN     "max_sign_in_age" INTEGER,
ADD COLUMN     "networks" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "require_second_factor" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "sign_in_life" INTEGER;

-- AlterTable
ALTER TABLE "mailed_links" ADD COLUMN     "groups" TEXT;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "brief" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "role" TEXT;

-- CreateTable
CREATE TABLE "user_groups" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_groups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_members" (
    "group_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "group_members_pkey" PRIMARY KEY ("group_id","user_id")
);

-- CreateTable
CREATE TABLE "user_fields" (
    "name" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "editor" TEXT NOT NULL DEFAULT 'admin',
    "scope" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_fields_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "user_field_values" (
    "user_id" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "value_key" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "user_field_values_pkey" PRIMARY KEY ("user_id","field")
);

-- CreateTable
CREATE TABLE "client_groups" (
    "client_id" TEXT NOT NULL,
    "group_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_groups_pkey" PRIMARY KEY ("client_id","group_id")
);

-- CreateTable
CREATE TABLE "client_users" (
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_users_pkey" PRIMARY KEY ("client_id","user_id")
);

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

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "user_groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_field_values" ADD CONSTRAINT "user_field_values_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_field_values" ADD CONSTRAINT "user_field_values_field_fkey" FOREIGN KEY ("field") REFERENCES "user_fields"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_groups" ADD CONSTRAINT "client_groups_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_groups" ADD CONSTRAINT "client_groups_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "user_groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_users" ADD CONSTRAINT "client_users_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_users" ADD CONSTRAINT "client_users_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A scope of that name may have been made by hand.
INSERT INTO "scopes" ("name", "description", "is_default", "sensitive", "created_at") VALUES
  ('groups', 'See which groups you’re in', false, false, '2026-11-22T00:00:00Z')
ON CONFLICT ("name") DO NOTHING;
