-- CreateTable
CREATE TABLE "refusal_counters" (
    "hour" DATETIME NOT NULL,
    "client_id" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "value" INTEGER NOT NULL,

    PRIMARY KEY ("client_id", "hour", "rule")
);

-- CreateIndex
CREATE INDEX "refusal_counters_hour_idx" ON "refusal_counters"("hour");
