import { PNG } from 'pngjs'
import { memoryFiles } from '../../../../adapters/files/memory-files.ts'
import type { InputOf } from '../../../../core/kernel/input/input.ts'
import type { Queue } from '../../../../core/kernel/running/queue.ts'
import type { Origin } from '../../../../core/office/audit.ts'
import { plainText } from '../../../../core/office/mail.ts'
import { operationQueues } from '../../../../core/payments/bank/run-operation.ts'
import { images, mails, templateOf } from '../../../../core/payments/office.ts'
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
import { byId } from '../../../../core/ports/store.ts'
import { failing } from '../../kernel/running/tasks.ts'
import { right, testPorts } from '../access/test-ports.ts'

export const MARIA = { name: 'Maria', email: 'maria@example.com', address: 'Rua A, 1', document: '52998224725' }
export const BAKERY = { name: 'Padaria', email: 'padaria@example.com', address: 'Rua B, 2', document: '11222333000181' }

const image = {
  contentType: 'image/png',
  bytes: new Uint8Array(PNG.sync.write(new PNG({ width: 1, height: 1 }))),
} as const
export const IMAGES = { image1: image, image2: image }

export const pairOf = ({ id, document }: Pick<Registration, 'id' | 'document'>) => ({ registrationId: id, document })

/** Runs the due records of a queue and returns their number. */
const work = async (queues: readonly Queue[], { store, clock }: PaymentsPorts): Promise<number> => {
  const due = (await Promise.all(queues.map((queue) => queue.due(store, clock.now(), 10)))).flat()
  for (const each of due) await (await each.claim(store, clock.now()))?.(failing)
  return due.length
}

/** The use cases of registration, with a scripted bank. */
export const registrationFixtures = () => {
  const here = testPorts()
  const files = memoryFiles()
  const ports: PaymentsPorts = { ...here.ports, files }
  const begin = beginRegistration(ports)
  const confirming = confirmRegistration(ports)
  const confirm = (pair: InputOf<typeof registrationPair>, code: string, origin: Origin | null = null) =>
    confirming({ ...pair, code }, origin)
  const submitting = submitImages(ports)
  const reading = readRegistration(ports)
  const lettersTo = async (email: string): Promise<string> => {
    const theirs = (await here.every(mails)).filter(({ to }) => to === email)
    const inTurn = theirs.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    const found = inTurn.map((mail) => /^[A-Z]{4}$/m.exec(plainText(templateOf(ports.cipher, mail)))?.[0])
    return found.findLast((letters) => letters !== undefined) ?? ''
  }
  return {
    ...here,
    ports,
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
