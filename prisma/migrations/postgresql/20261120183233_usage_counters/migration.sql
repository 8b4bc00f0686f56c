-- CreateTable
CREATE TABLE "usage_counters" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "value" INTEGER NOT NULL,

    CONSTRAINT "usage_counters_pkey" PRIMARY KEY ("hour","name","client_id")
);
