-- CreateIndex
CREATE INDEX "users_last_sign_in_at_id_idx" ON "users"("last_sign_in_at", "id");

-- By the name that lists show. Prisma has no word for an index on an expression.
CREATE INDEX "users_shown_name_idx" ON "users"(coalesce("name_key", "username_key"), "id");
