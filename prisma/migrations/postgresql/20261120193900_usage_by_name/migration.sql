-- CreateIndex
CREATE INDEX "usage_counters_name_hour_client_id_value_idx" ON "usage_counters"("name", "hour", "client_id", "value");
