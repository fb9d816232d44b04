import { viewEach } from '../../../core/kernel/input/mod.ts'
import { parseId } from '../../../core/kernel/values/text.ts'
import { recipientInput } from '../../../core/payments/withdrawals/recipient-changes.ts'
import {
  frequentFilter,
  type PartyWithRecipients,
  paidPartyView,
  recipientFilter,
  recipientView,
} from '../../../core/payments/withdrawals/recipients.ts'
import type { PageOf } from '../../../core/ports/store.ts'
import { json, page } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route, succeedWith } from '../api.ts'
import { lookupErrors } from './pay-out.ts'
import { recipientExample } from './withdrawal-views.ts'

const recipientRow = { dialect: 'withdrawal', auth: 'account', permission: 'withdrawals:read' } as const
const legacyRow = { ...recipientRow, area: 'Saques (legado)' } as const

/** The row of the most frequent recipients, which each of both APIs has. */
export const frequentRecipientsRow = (row: Pick<AnyRow, 'area' | 'name' | 'paths'>) =>
  route({
    ...recipientRow,
    ...row,
    summary: 'Lista os destinatários mais frequentes',
    input: { query: frequentFilter },
    run: ({ core, actor }, { query }) => core.withdrawals.frequentRecipients(actor, query),
    reply: json({ view: viewEach(recipientView), message: 'Destinatários frequentes recuperados com sucesso.' }),
    example: { given: 'withdrawn', data: [recipientExample] },
  })

// A look-up of its own, without a withdrawal to confirm.
const { 'withdrawal.used': _, ...addErrors } = lookupErrors

const ownRow = { area: 'Saques', dialect: 'v1', auth: 'organization', permission: 'withdrawals:write' } as const

/** Changes of the recipients, which a withdrawal stores by itself too. */
export const recipientRows: readonly AnyRow[] = [
  route({
    ...ownRow,
    name: 'recipients.add',
    summary: 'Adiciona o dono de uma chave Pix aos destinatários, sem nada lhe enviar',
    methods: ['POST'],
    paths: ['/v1/recipients'],
    input: { body: recipientInput },
    run: ({ core, actor }, { body }) => core.withdrawals.addRecipient(actor, body),
    reply: json({
      status: 201,
      key: 'recipient',
      view: recipientView,
      message: 'Destinatário adicionado com sucesso.',
    }),
    errors: addErrors,
    example: {
      given: 'withdrawer',
      request: { body: { keypix: 'maria@example.com' } },
      data: { ...recipientExample, count: 0 },
    },
  }),
  route({
    ...ownRow,
    name: 'recipients.remove',
    summary: 'Remove um destinatário; os saques para ele ficam',
    methods: ['DELETE'],
    paths: ['/v1/recipients/:id'],
    record: ({ core, actor, request }) => core.withdrawals.readRecipient(actor, parseId(request.params.id ?? '')),
    run: ({ core, actor, record }) => core.withdrawals.removeRecipient(actor, record.id),
    reply: json({ message: 'Destinatário removido com sucesso.' }),
    errors: { 'recipient.unknown': {} },
    example: { given: 'recipient', request: { params: { id: '1' } } },
  }),
]

export const legacyRecipientRows: readonly AnyRow[] = [
  frequentRecipientsRow({
    area: legacyRow.area,
    name: 'legacy-recipients.frequent',
    paths: ['/legacypay/withdraws/recipients/frequent'],
  }),
  route({
    ...legacyRow,
    name: 'legacy-recipients.show',
    summary: 'Mostra um destinatário',
    paths: ['/legacypay/withdraws/recipients/frequent/:id'],
    record: ({ core, actor, request }) => core.withdrawals.readRecipient(actor, parseId(request.params.id ?? '')),
    run: ({ record }) => succeedWith(record),
    reply: json({ view: recipientView, message: 'Destinatário recuperado com sucesso.' }),
    errors: { 'recipient.unknown': {} },
    example: { given: 'recipient', request: { params: { id: '1' } }, data: recipientExample },
  }),
  route({
    ...legacyRow,
    name: 'legacy-recipients.list',
    summary: 'Lista quem já recebeu da conta, por documento',
    paths: ['/legacypay/withdraws/recipients'],
    input: { query: recipientFilter },
    run: ({ core, actor }, { query }) => core.withdrawals.listPaidParties(actor, query),
    reply: page<PartyWithRecipients, PageOf<PartyWithRecipients>>({
      view: paidPartyView,
      message: 'Destinatários listados com sucesso.',
    }),
    example: {
      given: 'withdrawn',
      data: { name: recipientExample.name, document: recipientExample.document, pix_recipients: [recipientExample] },
    },
  }),
]
