-- DropIndex
DROP INDEX "refresh_tokens_expires_at_idx";

-- CreateIndex
CREATE INDEX "refresh_tokens_used_at_expires_at_idx" ON "refresh_tokens"("used_at", "expires_at");
