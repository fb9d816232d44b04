import { PNG } from 'pngjs'
import { memoryFiles } from '../../../../adapters/files/memory-files.ts'
import type { InputOf } from '../../../../core/kernel/input/input.ts'
import type { Queue } from '../../../../core/kernel/running/queue.ts'
import type { Origin } from '../../../../core/office/audit.ts'
import { operationQueues } from '../../../../core/payments/bank/run-operation.ts'
import { images } from '../../../../core/payments/office.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import {
  beginRegistration,
  confirmRegistration,
  registrationQueue,
  resendCodes,
} from '../../../../core/payments/registrations/register.ts'
import {
  type Registration,
  readRegistration,
  type registrationPair,
  registrations,
} from '../../../../core/payments/registrations/registration.ts'
import { registrationReviews, submitImages } from '../../../../core/payments/registrations/review.ts'
import type { Bank, BankAnswer, OpenedAccount } from '../../../../core/ports/bank.ts'
import { byId } from '../../../../core/ports/store.ts'
import { failing } from '../../kernel/running/tasks.ts'
import { openPayments, right } from '../world.ts'

export const MARIA = { name: 'Maria', email: 'maria@example.com', address: 'Rua A, 1', document: '52998224725' }
export const BAKERY = { name: 'Padaria', email: 'padaria@example.com', address: 'Rua B, 2', document: '11222333000181' }

const image = {
  contentType: 'image/png',
  bytes: new Uint8Array(PNG.sync.write(new PNG({ width: 1, height: 1 }))),
} as const
export const IMAGES = { image1: image, image2: image }

export const pairOf = ({ id, document }: Pick<Registration, 'id' | 'document'>) => ({ registrationId: id, document })

/** A bank that answers account openings from a script, and with `done` and new numbers after its end. */
export const scriptedBank = () => {
  const script: BankAnswer<OpenedAccount>[] = []
  const asked: { readonly reference: string; readonly name: string; readonly document: string }[] = []
  const never = async (): Promise<never> => {
    throw new Error('not called in these tests')
  }
  const bank: Bank = {
    compe: '748',
    can: ['open-account', 'pix', 'boleto', 'bolepix'],
    txidLength: 25,
    openAccount: async (order) => {
      asked.push(order)
      const value = { agency: '0001', account: `${asked.length}0-1`, pixKey: order.reference }
      return script.shift() ?? { outcome: 'done', value }
    },
    createTitle: never,
    findTitle: never,
    cancelTitle: never,
  }
  return { bank, script, asked }
}

/** Runs the due records of a queue and returns their number. */
const work = async (queues: readonly Queue[], { store, clock }: PaymentsPorts): Promise<number> => {
  const due = (await Promise.all(queues.map((queue) => queue.due(store, clock.now(), 10)))).flat()
  for (const each of due) await (await each.claim(store, clock.now()))?.(failing)
  return due.length
}

/** The use cases of registration, with a scripted bank. */
export const registrationFixtures = () => {
  const bank = scriptedBank()
  const files = memoryFiles()
  const here = openPayments({ instead: () => ({ bank: bank.bank, files }) })
  const { ports } = here
  const begin = beginRegistration(ports)
  const confirming = confirmRegistration(ports)
  const confirm = (pair: InputOf<typeof registrationPair>, code: string, origin: Origin | null = null) =>
    confirming({ ...pair, code }, origin)
  const submitting = submitImages(ports)
  const reading = readRegistration(ports)
  const lettersTo = async (email: string): Promise<string> =>
    (await here.mailsTo(email)).flatMap((text) => /^[A-Z]{4}$/m.exec(text)?.[0] ?? []).at(-1) ?? ''
  return {
    ...here,
    bank,
    files,
    begin,
    confirm,
    resend: resendCodes(ports),
    submit: (pair: InputOf<typeof registrationPair>, images: typeof IMAGES) => submitting({ ...pair, ...images }),
    status: (document: string) => reading({ document }),
    lettersTo,
    /** A registration with a confirmed e-mail. */
    confirmed: async (of = MARIA): Promise<Registration> => {
      const begun = right(await begin(of)())
      right(await confirm(pairOf(begun), await lettersTo(of.email))())
      const found = await ports.store.find(byId(registrations, begun.id))
      if (!found) throw new Error('it was confirmed')
      return found
    },
    /** Runs the due work: bank operations, abandoned registrations and files without a reference. */
    review: () => work([registrationQueue(ports), ...operationQueues([registrationReviews(ports)])], ports),
    tidy: () => work(images.part.queues(ports), ports),
  }
}
