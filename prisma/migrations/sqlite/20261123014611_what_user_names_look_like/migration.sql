-- AlterTable
ALTER TABLE "users" ADD COLUMN "username_glance" TEXT;

-- CreateIndex
CREATE INDEX "users_username_glance_idx" ON "users"("username_glance");
