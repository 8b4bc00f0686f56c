-- CreateIndex
CREATE INDEX "users_role_id_idx" ON "users"("role", "id");
