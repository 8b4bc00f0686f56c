-- AlterTable
ALTER TABLE "clients" ADD COLUMN     "app_passwords" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "app_passwords" (
    "hash" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_epoch" INTEGER NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "networks" TEXT NOT NULL DEFAULT '',
    "second_factor" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "end_told_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "app_passwords_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "app_passwords_id_key" ON "app_passwords"("id");

-- CreateIndex
CREATE INDEX "app_passwords_user_id_idx" ON "app_passwords"("user_id");

-- CreateIndex
CREATE INDEX "app_passwords_client_id_idx" ON "app_passwords"("client_id");

-- CreateIndex
CREATE INDEX "app_passwords_expires_at_idx" ON "app_passwords"("expires_at");

-- AddForeignKey
ALTER TABLE "app_passwords" ADD CONSTRAINT "app_passwords_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app_passwords" ADD CONSTRAINT "app_passwords_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
