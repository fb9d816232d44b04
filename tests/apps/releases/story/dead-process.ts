import { portsOf } from '../../../../apps/bank/payments-ports.ts'
import { writeProbes } from '../../../../apps/host/watched-store.ts'
import { pinoLog } from '../../../../apps/http/telemetry.ts'
import { insert } from '../../../../core/kernel/records/change.ts'
import { type JobRow, jobQueue } from '../../../../core/kernel/running/jobs.ts'
import type { Queue } from '../../../../core/kernel/running/queue.ts'
import { sweepJob } from '../../../../core/office/worker.ts'
import { expiryJob } from '../../../../core/payments/charges/end.ts'
import { outbox } from '../../../../core/payments/events.ts'
import { mailQueues } from '../../../../core/payments/mail.ts'
import { jobs } from '../../../../core/payments/office.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import { deliveryQueue } from '../../../../core/payments/webhooks/deliver.ts'
import { webhookSubscriber } from '../../../../core/payments/webhooks/subscriber.ts'
import type { TestApi } from '../../payments/test-api.ts'

const jobsOf = (ports: PaymentsPorts, row: JobRow): Queue => jobQueue(ports, jobs, [row])

const QUEUES = {
  deliveries: deliveryQueue,
  events: (ports: PaymentsPorts): Queue => outbox.queue(ports, [webhookSubscriber]),
  mails: (ports: PaymentsPorts): Queue => {
    const [, ofAccounts] = mailQueues(ports)
    if (!ofAccounts) throw new Error('accounts have no queue of mails')
    return ofAccounts
  },
  expiry: (ports: PaymentsPorts): Queue => jobsOf(ports, expiryJob(ports)),
  sweep: (ports: PaymentsPorts): Queue => jobsOf(ports, sweepJob(ports, [])),
} satisfies Readonly<Record<string, (ports: PaymentsPorts) => Queue>>

/** A process claims what has been due the longest in one of its queues, and is no more. */
export const claimAndDie = async (api: TestApi, name: keyof typeof QUEUES): Promise<void> => {
  const { host } = api
  const ports = await portsOf(host, api.url, pinoLog('payments', 'silent'))
  const now = host.clock.now()
  const [first] = await QUEUES[name](ports).due(host.store, now, 1)
  if (!first || !(await first.claim(host.store, now))) throw new Error(`nothing of ${name} is due`)
}

/** A process finds that the store takes commits again, and is no more. */
export const probeAndDie = async ({ host }: TestApi): Promise<void> => {
  const { ok } = await host.store.commit([insert(writeProbes, { id: 'probe', filling: '.' })])
  if (!ok) throw new Error('somebody else is probing')
}
