import {
  type InputOf,
  input,
  nullable,
  nullIfAbsent,
  oneOf,
  output,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import { newRecord } from '../../kernel/records/record.ts'
import { readUseCase, withValidInput } from '../../kernel/running/use-case.ts'
import { addDays, type Day, dayOf, type Instant } from '../../kernel/values/day.ts'
import { plainText } from '../../office/mail.ts'
import { byId } from '../../ports/store.ts'
import {
  type Account,
  accounts,
  CHANNELS,
  isExisting,
  RULE_NAMES,
  type RuleName,
  ruleFields,
} from '../accounts/account.ts'
import { logoUrl } from '../accounts/views.ts'
import { type Charge, charges, lapsesAtOf } from '../charges/charge.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { emailFor, shortTextFor, type Trigger } from './payer-messages.ts'

export const messagePreview = input('MessagePreview', {
  rule: oneOf(RULE_NAMES, { about: 'O aviso' }),
  message: nullIfAbsent(ruleFields.message),
  channel: withDefault(oneOf(CHANNELS, { about: 'Por onde o aviso é enviado' }), 'email'),
})
export type MessagePreview = InputOf<typeof messagePreview>

/** A message to a payer, as it would be sent. */
export interface PreviewedMessage {
  readonly channel: (typeof CHANNELS)[number]
  /** Null for a message to a phone, which has neither. */
  readonly subject: string | null
  readonly html: string | null
  readonly text: string
}

export const previewMessage =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, submitted: MessagePreview) =>
    withValidInput(ports, messagePreview, submitted, ({ rule: name, message, channel }) =>
      readUseCase('account.unknown', async (): Promise<PreviewedMessage | null> => {
        const { store, clock, settings, emailRenderer } = ports
        const account = await store.find(byId(accounts, accountId))
        if (!isExisting(account)) return null
        const { publicUrl } = settings
        const [steady, today] = [clock.steady(), dayOf(clock.steady())]
        const rule = { enabled: true, message, channels: [channel], days: null }
        const charge = sampleCharge(account, name, steady, today)
        const about: Trigger = {
          ...{ name, rule, account, charge, client: CLIENT },
          ...{ paidCents: null, publicUrl, steady, today },
        }
        if (channel !== 'email') return { channel, subject: null, html: null, text: shortTextFor(about) }
        const template = emailFor(about)
        const sender = { name: account.name, logoUrl: logoUrl(settings, account) }
        return {
          channel,
          subject: template.subject,
          html: emailRenderer.html(template, sender),
          text: plainText(template),
        }
      }),
    )

const SAMPLE_CENTS = 15_050
const DUE_DAYS: Readonly<Partial<Record<RuleName, number>>> = { on_due: 0, before_due: 3, after_due: -3 }
const DUE_DAYS_OF_OTHERS = 7

const CLIENT = { name: 'Maria da Silva', email: null, phone: null, removedAt: null }

/** Builds a bolepix of R$ 150,50 in the state in which the rule fires; no payment reaches it. */
const sampleCharge = (account: Pick<Account, 'id' | 'name'>, rule: RuleName, now: Instant, today: Day): Charge => {
  const isPaid = rule === 'on_payment'
  const terms = { paymentMethod: 'BOLEPIX', dueDate: addDays(today, DUE_DAYS[rule] ?? DUE_DAYS_OF_OTHERS) } as const
  return newRecord(charges, {
    ...terms,
    id: 0,
    accountId: account.id,
    code: 'exemplo',
    status: rule === 'on_delete' ? 'DELETED' : isPaid ? 'paid' : 'pending',
    valueCents: SAMPLE_CENTS,
    amountPaidCents: isPaid ? SAMPLE_CENTS : null,
    paymentDate: isPaid ? today : null,
    clientId: 0,
    description: 'Mensalidade',
    pix: {
      txid: 'exemplo',
      key: 'exemplo@example.com',
      payeeName: account.name,
      payeeCity: 'BRASIL',
      dynamicCode: 'CÓDIGO PIX DE EXEMPLO',
    },
    lapsesAt: lapsesAtOf(terms),
    createdBy: 0,
    createdAt: now,
    createdDay: today,
    updatedAt: now,
    search: '',
  })
}

export const previewedMessageView = view('PreviewedMessage', {
  channel: oneOf(CHANNELS, { about: 'Por onde o aviso é enviado' }),
  subject: nullable(output.text({ about: 'Assunto; nulo em uma mensagem de telefone' })),
  html: nullable(output.text({ about: 'O e-mail em HTML; nulo em uma mensagem de telefone' })),
  text: output.text({ about: 'O mesmo, em texto' }),
})
