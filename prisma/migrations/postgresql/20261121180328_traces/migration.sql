-- CreateTable
CREATE TABLE "traces" (
    "id" TEXT NOT NULL,
    "ring" TEXT NOT NULL,
    "failed" BOOLEAN NOT NULL,
    "client_id" TEXT,
    "user_id" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "step" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "rule" TEXT,

    CONSTRAINT "traces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "trace_steps" (
    "trace_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "request_id" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "times" INTEGER NOT NULL,
    "code" TEXT,
    "rule" TEXT,
    "reason" TEXT,
    "received" TEXT,
    "expected" TEXT NOT NULL DEFAULT '[]',
    "detail" TEXT NOT NULL DEFAULT '{}',

    CONSTRAINT "trace_steps_pkey" PRIMARY KEY ("trace_id","key")
);

-- CreateIndex
CREATE INDEX "traces_ring_failed_last_at_idx" ON "traces"("ring", "failed", "last_at");

-- CreateIndex
CREATE INDEX "traces_last_at_id_idx" ON "traces"("last_at", "id");

-- CreateIndex
CREATE INDEX "traces_client_id_last_at_id_idx" ON "traces"("client_id", "last_at", "id");

-- CreateIndex
CREATE INDEX "traces_user_id_last_at_id_idx" ON "traces"("user_id", "last_at", "id");

-- CreateIndex
CREATE INDEX "trace_steps_request_id_idx" ON "trace_steps"("request_id");

-- AddForeignKey
ALTER TABLE "traces" ADD CONSTRAINT "traces_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "traces" ADD CONSTRAINT "traces_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trace_steps" ADD CONSTRAINT "trace_steps_trace_id_fkey" FOREIGN KEY ("trace_id") REFERENCES "traces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
