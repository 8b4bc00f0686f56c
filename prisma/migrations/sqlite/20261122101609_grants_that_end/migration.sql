-- CreateIndex
CREATE INDEX "grants_ends_at_idx" ON "grants"("ends_at");
