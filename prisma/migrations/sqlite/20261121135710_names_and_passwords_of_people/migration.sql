-- AlterTable
ALTER TABLE "users" ADD COLUMN "must_change_password" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "users" ADD COLUMN "username_unfit" BOOLEAN NOT NULL DEFAULT false;

-- Names that may break the rules of today; the server looks at each when it starts and keeps the mark where they do.
UPDATE "users" SET "username_unfit" = true
WHERE "username_key" GLOB '*[^a-z0-9._-]*' OR "username_key" NOT GLOB '*[a-z]*'
  OR "username_key" GLOB 'www.*' OR ("username_key" NOT GLOB '*[^0-9a-f]*' AND length("username_key") = 32);

-- CreateTable
CREATE TABLE "former_usernames" (
    "username_key" TEXT NOT NULL PRIMARY KEY,
    "user_id" TEXT NOT NULL,
    "given_up_at" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "users_username_unfit_id_idx" ON "users"("username_unfit", "id");

-- CreateIndex
CREATE INDEX "former_usernames_given_up_at_idx" ON "former_usernames"("given_up_at");
