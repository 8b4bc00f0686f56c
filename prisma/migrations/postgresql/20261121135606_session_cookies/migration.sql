-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "cookie_hash" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "sessions_cookie_hash_key" ON "sessions"("cookie_hash");
