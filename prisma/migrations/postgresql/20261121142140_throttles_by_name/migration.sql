-- AlterTable
ALTER TABLE "throttles" ADD COLUMN     "total" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "user_id" TEXT;

-- CreateIndex
CREATE INDEX "throttles_user_id_idx" ON "throttles"("user_id");

-- CreateIndex
CREATE INDEX "users_password_hash_idx" ON "users"("password_hash");
