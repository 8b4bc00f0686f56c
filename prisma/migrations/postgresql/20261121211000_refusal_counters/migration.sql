-- CreateTable
CREATE TABLE "refusal_counters" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "client_id" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "value" INTEGER NOT NULL,

    CONSTRAINT "refusal_counters_pkey" PRIMARY KEY ("client_id","hour","rule")
);

-- CreateIndex
CREATE INDEX "refusal_counters_hour_idx" ON "refusal_counters"("hour");
