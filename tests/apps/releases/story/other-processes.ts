import type { PixApi } from '../../../../adapters/bank/pix-api/client.ts'
import { pixApiPart, pixApiWebhookEndpoint } from '../../../../adapters/bank/pix-api/mod.ts'
import { portsOf } from '../../../../apps/bank/payments-ports.ts'
import { writeProbes } from '../../../../apps/host/host.ts'
import { pinoLog } from '../../../../apps/http/telemetry.ts'
import { insert } from '../../../../core/kernel/records/record.ts'
import { type JobRow, jobQueue } from '../../../../core/kernel/running/jobs.ts'
import type { Queue } from '../../../../core/kernel/running/queue.ts'
import { sweepJob } from '../../../../core/office/worker.ts'
import { reportUnreadable } from '../../../../core/payments/bank/run-operation.ts'
import { expiryJob } from '../../../../core/payments/charges/end.ts'
import { outbox } from '../../../../core/payments/events.ts'
import { mailQueues } from '../../../../core/payments/mail.ts'
import { jobs, processes } from '../../../../core/payments/office.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import { deliveryQueue } from '../../../../core/payments/webhooks/deliver.ts'
import { webhookSubscriber } from '../../../../core/payments/webhooks/subscriber.ts'
import type { TestApi } from '../../payments/test-api.ts'
import { unreachable } from './outside.ts'

const END_TO_END_ID = 'E0000000020261113120012345678901'

/** A payment to a key of another account, and an empty list. */
const SAID = {
  endToEndId: END_TO_END_ID,
  valor: '10.00',
  horario: '2026-11-13T12:00:00Z',
  chave: 'outra@example.com',
  parametros: { paginacao: { quantidadeDePaginas: 1 } },
  pix: [],
}

const bank: PixApi = {
  pixKey: 'financeiro@aurora.example',
  request: async () => ({ status: 200, body: SAID }),
  close: async () => {},
}

const notifications = { paid: unreachable, received: unreachable, unreadable: unreachable }
const part = pixApiPart(bank, notifications)

const portsIn = ({ host, url }: TestApi) =>
  portsOf(host, host.settings.PUBLIC_URL ?? url, pinoLog('payments', 'silent'))

const UNREADABLE_ID = 'E0000000020261113120098765432109'

const sweep = async (api: TestApi): Promise<void> => {
  const slice = { steady: api.host.clock.steady(), cursor: null, report: () => {} }
  for (const job of part.jobs?.(await portsIn(api)) ?? []) await job.run(slice)
}

/** Runs a process with another bank: it is notified of a payment, starts a sweep, and reads a record that it cannot decode. */
export const anotherBank = async (api: TestApi): Promise<void> => {
  const { store, ids, clock, random } = api.host
  await pixApiWebhookEndpoint({ store, ids, clock, random })([END_TO_END_ID])()
  await sweep(api)
  await reportUnreadable(await portsIn(api), { kind: 'pix', id: UNREADABLE_ID }, null)()
}

/** Runs another process with that bank, which continues the sweep. */
export const anotherBankAgain = async (api: TestApi): Promise<void> => {
  const { store, clock } = api.host
  for (const queue of part.queues?.(await portsIn(api)) ?? [])
    for (const waiting of await queue.due(store, clock.now(), queue.atOnce)) {
      const work = await waiting.claim(store, clock.now())
      await work?.((error) => {
        throw error
      })
    }
  await sweep(api)
}

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

/** Claims the oldest due item of a queue and does not finish it. */
export const claimAndDie = async (api: TestApi, name: keyof typeof QUEUES): Promise<void> => {
  const { host } = api
  const ports = await portsIn(api)
  const now = host.clock.now()
  const [first] = await QUEUES[name](ports).due(host.store, now, 1)
  if (!first || !(await first.claim(host.store, now))) throw new Error(`nothing of ${name} is due`)
}

/** Writes a probe of the store and the record of a running worker, and removes neither. */
export const probeAndDie = async ({ host }: TestApi): Promise<void> => {
  const probe = insert(writeProbes, { id: 'probe', filling: '.' })
  const { ok } = await host.store.commit([probe, insert(processes, { id: '654321', beats: 3 })])
  if (!ok) throw new Error('another process is probing')
}
