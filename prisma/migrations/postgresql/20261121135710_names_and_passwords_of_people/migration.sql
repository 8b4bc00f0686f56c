-- AlterTable
ALTER TABLE "users" ADD COLUMN     "must_change_password" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "username_unfit" BOOLEAN NOT NULL DEFAULT false;

-- Names that may break the rules of today; the server looks at each when it starts and keeps the mark where they do.
UPDATE "users" SET "username_unfit" = true
WHERE "username_key" !~ '^[a-z0-9._-]*$' OR "username_key" !~ '[a-z]'
  OR "username_key" ~ '^www[.]' OR "username_key" ~ '^[0-9a-f]{32}$';

-- CreateTable
CREATE TABLE "former_usernames" (
    "username_key" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "given_up_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "former_usernames_pkey" PRIMARY KEY ("username_key")
);

-- CreateIndex
CREATE INDEX "former_usernames_given_up_at_idx" ON "former_usernames"("given_up_at");

-- CreateIndex
CREATE INDEX "users_username_unfit_id_idx" ON "users"("username_unfit", "id");
