-- AlterTable
ALTER TABLE "clients" ADD COLUMN "app_passwords" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "app_passwords" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_epoch" INTEGER NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "networks" TEXT NOT NULL DEFAULT '',
    "second_factor" BOOLEAN NOT NULL,
    "created_at" DATETIME NOT NULL,
    "expires_at" DATETIME,
    "end_told_at" DATETIME,
    "last_used_at" DATETIME,
    CONSTRAINT "app_passwords_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "app_passwords_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "app_passwords_id_key" ON "app_passwords"("id");

-- CreateIndex
CREATE INDEX "app_passwords_user_id_idx" ON "app_passwords"("user_id");

-- CreateIndex
CREATE INDEX "app_passwords_client_id_idx" ON "app_passwords"("client_id");

-- CreateIndex
CREATE INDEX "app_passwords_expires_at_idx" ON "app_passwords"("expires_at");
