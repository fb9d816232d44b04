import { PNG } from 'pngjs'
import { memoryFiles } from '../../../../adapters/files/memory-files.ts'
import type { Queue } from '../../../../core/kernel/running/queue.ts'
import { fileQueue } from '../../../../core/payments/files/file-queue.ts'
import { plainText } from '../../../../core/payments/mail/email-template.ts'
import { mails, templateOf } from '../../../../core/payments/mail/mail.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import { beginRegistration } from '../../../../core/payments/registrations/begin-registration.ts'
import { resendCodes } from '../../../../core/payments/registrations/codes/resend-codes.ts'
import { confirmRegistration } from '../../../../core/payments/registrations/confirm-registration.ts'
import { readRegistration } from '../../../../core/payments/registrations/read-registration.ts'
import type { Registration } from '../../../../core/payments/registrations/registration.ts'
import { registrationQueue } from '../../../../core/payments/registrations/registration-queue.ts'
import { type ImagePair, submitImages } from '../../../../core/payments/registrations/submit-images.ts'
import { failing } from '../../kernel/running/tasks.ts'
import { right, testPorts } from '../access/test-ports.ts'

export const MARIA = { name: 'Maria', email: 'maria@example.com', address: 'Rua A, 1', document: '52998224725' }
export const BAKERY = { name: 'Padaria', email: 'padaria@example.com', address: 'Rua B, 2', document: '11222333000181' }

const image = {
  contentType: 'image/png',
  bytes: new Uint8Array(PNG.sync.write(new PNG({ width: 1, height: 1 }))),
} as const
export const IMAGES: ImagePair = [image, image]

export const pairOf = ({ id, document }: Pick<Registration, 'id' | 'document'>) => ({ registrationId: id, document })

/** Does what is due in a queue; how much that was. */
const work = async (queue: Queue, { store, clock }: PaymentsPorts): Promise<number> => {
  const due = await queue.due(store, clock.now(), [], 10)
  for (const each of due) await (await each.claim(store, clock.now()))?.(failing)
  return due.length
}

/** The use cases by which accounts are asked for, with a bank that answers by script. */
export const registrationFixtures = () => {
  const here = testPorts()
  const files = memoryFiles()
  const ports: PaymentsPorts = { ...here.ports, files }
  const begin = beginRegistration(ports)
  const confirm = confirmRegistration(ports)
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
    submit: submitImages(ports),
    status: readRegistration(ports),
    lettersTo,
    /** Somebody whose e-mail is confirmed. */
    confirmed: async (of = MARIA): Promise<Registration> => {
      const begun = right(await begin(of)())
      return right(await confirm(pairOf(begun), await lettersTo(of.email))())
    },
    /** What the worker has to do now: at the bank, and with files that nobody refers to. */
    review: () => work(registrationQueue(ports), ports),
    tidy: () => work(fileQueue(ports), ports),
  }
}
