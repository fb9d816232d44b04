import { input, nullIfAbsent, output, view } from '../../../core/kernel/input/mod.ts'
import { type MailedNotice, noticeFields, noticeInput } from '../../../core/payments/reminders/notify-payers.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { ownCharge, ownCharges } from './charges.ts'

const noticeRow = { ...ownCharges, methods: ['POST'], permission: 'charges:write' } as const

const QUEUED = 'Notificações enfileiradas com sucesso!'
const ACCOUNT_ERRORS = { 'account.unknown': {}, 'organization.inactive': {} } as const

const countView = view(
  'NoticeCount',
  { count: output.count({ about: 'Cobranças encontradas' }) },
  (queued: { readonly count: number }) => queued,
)

const mailedView = view(
  'MailedNotice',
  {
    chargeId: output.count({ about: 'Id da cobrança' }),
    email: nullIfAbsent(
      output.text({ about: 'Para onde vai; nulo se passa do limite do dia: fica guardada, sem envio' }),
    ),
  },
  (mailed: MailedNotice) => mailed,
)

const example = { channels: ['email', 'sms'], message: 'Sua mensalidade vence amanhã.' }
const queued = { count: 1 }

/** The body is validated before the charge is read: these rows have no `record`. */
export const noticeRows: readonly AnyRow[] = [
  route({
    ...noticeRow,
    name: 'charges.mail',
    summary: 'Envia uma cobrança por e-mail a quem vai pagá-la',
    paths: ['/invoices/:id/notify'],
    parameters: ownCharge.parameters,
    run: ({ core, actor, request }) => core.reminders.mail(actor, request.params.id ?? ''),
    reply: json({ view: mailedView, message: 'Notificação enviada com sucesso!' }),
    errors: { 'charge.unknown': {}, 'client.no-email': {}, ...ACCOUNT_ERRORS },
    example: {
      given: 'pendingCharge',
      request: { params: { id: '1' } },
      data: { charge_id: 1, email: 'maria@example.com' },
    },
  }),
  route({
    ...noticeRow,
    name: 'charges.notify',
    summary: 'Avisa quem vai pagar uma cobrança',
    paths: ['/billing/charges/:id/notify'],
    parameters: ownCharge.parameters,
    input: { body: input('ChargeNotice', noticeFields) },
    run: ({ core, actor, request }, { body }) => core.reminders.notify(actor, { ...body, id: request.params.id ?? '' }),
    reply: json({ view: countView, message: QUEUED }),
    errors: { 'charge.none-given': {}, 'charge.unknown': {}, ...ACCOUNT_ERRORS },
    example: { given: 'pendingCharge', request: { params: { id: '1' }, body: example }, data: queued },
  }),
  route({
    ...noticeRow,
    name: 'charges.notify-many',
    summary: 'Avisa quem vai pagar algumas cobranças, 300 no máximo',
    paths: ['/billing/charges/notify'],
    input: { body: noticeInput },
    run: ({ core, actor }, { body }) => core.reminders.notify(actor, body),
    reply: json({ view: countView, message: QUEUED }),
    errors: { 'charge.none-given': {}, 'charge.unknown': {}, ...ACCOUNT_ERRORS },
    example: { given: 'chargeToNotify', request: { body: { ...example, ids: [1] } }, data: queued },
  }),
]
