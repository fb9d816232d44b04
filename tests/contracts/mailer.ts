import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict'
import type { Mail, Mailer } from '../../core/ports/messaging.ts'
import { type Check, type ContractCase, casesOf } from './contract.ts'

interface Address {
  readonly name: string
  readonly address: string
}

/** A mail as parsed by its receiver. */
export interface ReceivedMail {
  readonly messageId: string
  readonly from: Address
  readonly to: readonly Address[]
  readonly replyTo: readonly Address[]
  readonly subject: string
  readonly text: string
  readonly html: string | null
  /** Blind copies. */
  readonly bcc?: readonly Address[]
}

/** A mailer and its receiver. */
export interface OpenedMailer {
  readonly mailer: Mailer
  /** Returns the received mails in order. A mail that is sent again may replace the first one. */
  received(): Promise<readonly ReceivedMail[]>
  close(): Promise<void>
}

/** Opens a mailer for each case. */
export interface MailerContract<O extends OpenedMailer> {
  open(): Promise<O>
  /** Makes the receiver unreachable. Without it, outages are not tested. */
  readonly cutOff?: (opened: O) => unknown
}

/**
 * Returns the rules of the port `Mailer`.
 *
 * ```ts
 * for (const { name, run } of mailerContract({ open })) test(name, run)
 * ```
 */
export const mailerContract = <O extends OpenedMailer>({ open, cutOff }: MailerContract<O>): readonly ContractCase[] =>
  casesOf(open, (check) => {
    contents(check)
    senders(check)
    ids(check)
    injections(check)
    if (cutOff) outages(check, cutOff)
  })

const mail: Mail = {
  id: 'evt_12|client@example.com',
  to: 'client@example.com',
  subject: 'Cobrança paga: R$ 1.234,56 ✅ — obrigado, João! 🎉 um assunto que não cabe em uma linha só de cabeçalho',
  text: 'Olá, João!\n.\n..um ponto no começo da linha\nFrom: isto não é um cabeçalho\nSeu código é 482913. 🔐',
  html: '<p>Olá, <b>João</b>! 🎉 Ação concluída.</p>',
}

const linesOf = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd()

const only = async (opened: OpenedMailer): Promise<ReceivedMail> => {
  const received = await opened.received()
  equal(received.length, 1, `${received.length} mails came in`)
  return received[0] as ReceivedMail
}

const contents = <O extends OpenedMailer>(check: Check<O>): void => {
  check('delivers a mail unchanged, with accents and emoji', async (opened) => {
    await opened.mailer.send(mail)
    const { subject, text, html, to } = await only(opened)
    equal(subject, mail.subject)
    equal(linesOf(text), mail.text)
    equal(html === null ? null : linesOf(html), mail.html)
    deepEqual(
      to.map(({ address }) => address),
      [mail.to],
    )
  })

  check('delivers a mail without HTML as text only', async (opened) => {
    const { html: _, ...plain } = mail
    await opened.mailer.send(plain)
    const received = await only(opened)
    equal(received.html, null)
    equal(linesOf(received.text), mail.text)
  })

  check('delivers every one of many simultaneous mails', async (opened) => {
    const many = Array.from({ length: 20 }, (_, index) => `${index}`)
    await Promise.all(many.map((id) => opened.mailer.send({ ...mail, id, subject: id })))
    deepEqual((await opened.received()).map(({ subject }) => subject).sort(), many.sort())
  })
}

const senders = <O extends OpenedMailer>(check: Check<O>): void => {
  const inNameOf = { name: 'Padaria, a boa', replyTo: 'dona@padaria.example' }

  check(
    'shows the name of the sender, with the address of the platform, and replies go to the sender',
    async (opened) => {
      await opened.mailer.send({ ...mail, id: 'ours' })
      await opened.mailer.send({ ...mail, id: 'theirs', inNameOf })
      const [ours, theirs] = await opened.received()
      equal(theirs?.from.address, ours?.from.address)
      equal(theirs?.from.name, inNameOf.name)
      deepEqual(
        theirs?.replyTo.map(({ address }) => address),
        [inNameOf.replyTo],
      )
    },
  )

  check('sends replies to the platform if the sender has no address', async (opened) => {
    await opened.mailer.send({ ...mail, inNameOf: { ...inNameOf, replyTo: null } })
    deepEqual((await only(opened)).replyTo, [])
  })
}

const ids = <O extends OpenedMailer>(check: Check<O>): void => {
  check('repeats the message id of a mail that is sent again, and of no other mail', async (opened) => {
    const idOf = async (id: string): Promise<string | undefined> => {
      await opened.mailer.send({ ...mail, id, subject: id })
      return (await opened.received()).findLast(({ subject }) => subject === id)?.messageId
    }
    const first = await idOf('a')
    ok(first)
    equal(await idOf('a'), first)
    notEqual(await idOf('b'), first)
  })
}

const BREAKS = ['\r\n', '\n', '\r', '\r\n\r\n', '\u2028', '\u0085', '\v', '\f']

const injections = <O extends OpenedMailer>(check: Check<O>): void => {
  check('adds no recipient or header through subject or name', async (opened) => {
    for (const [index, between] of BREAKS.entries()) {
      const text = `Padaria${between}Bcc: d@example.com${between}corpo`
      const inNameOf = { name: text, replyTo: 'dona@padaria.example' }
      await opened.mailer.send({ id: `${index}`, to: mail.to, subject: text, text: 't', inNameOf })
    }
    const received = await opened.received()
    equal(received.length, BREAKS.length)
    for (const { bcc = [], to, replyTo, text } of received) {
      deepEqual([bcc.length, to.length, replyTo.length, linesOf(text)], [0, 1, 1, 't'])
    }
  })
}

const outages = <O extends OpenedMailer>(check: Check<O>, cutOff: NonNullable<MailerContract<O>['cutOff']>): void => {
  check('rejects a mail that was not handed over', async (opened) => {
    await opened.mailer.send(mail)
    await cutOff(opened)
    await rejects(opened.mailer.send({ ...mail, id: 'lost' }))
  })
}
