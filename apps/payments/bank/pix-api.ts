import { endToEndIdsIn, type pixApiWebhookEndpoint } from '../../../adapters/bank/pix-api/mod.ts'
import { right } from '../../../core/fp.ts'
import { field, nullIfAbsent } from '../../../core/kernel/input/field.ts'
import { input } from '../../../core/kernel/input/input.ts'
import { readUseCase } from '../../../core/kernel/running/use-case.ts'
import { text } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'

/** Nothing of it is believed but the ids, of which the bank is asked: whatever else it is does no harm. */
const received = field<readonly string[]>(
  {
    name: 'list',
    schema: { type: 'array', items: { type: 'object' } },
    is: (value): value is readonly string[] => Array.isArray(value),
    read: (told) => right(endToEndIdsIn(told)),
  },
  { about: 'Os Pix recebidos' },
)

/** A bank tries the address by a body without any. */
const notice = input('PixApiNotice', { pix: nullIfAbsent(received) })

/**
 * Where a bank tells of payments. It adds `/pix` to the address that was registered; who does not know the secret in it finds
 * nothing there. Source: BCB, API Pix, Webhook.
 */
export const pixApiRows = (
  take: ReturnType<typeof pixApiWebhookEndpoint>,
  isSecret: (told: string) => boolean,
): readonly AnyRow[] => [
  route({
    area: 'Banco',
    dialect: 'bare',
    auth: 'public',
    name: 'pix-api.notify',
    summary: 'O banco conta que chegaram Pix; o servidor pergunta ao banco antes de acreditar',
    methods: ['POST'],
    paths: ['/pix-api/:secret/pix'],
    parameters: { secret: 'O segredo do endereço que o banco conhece' },
    record: ({ request }) =>
      readUseCase('route.unknown', async () => (isSecret(request.params.secret ?? '') ? true : null)),
    input: { body: notice },
    run: (_call, { body: { pix } }) => take(pix ?? []),
    reply: text({ view: () => 'ok' }),
    example: {
      request: {
        params: { secret: 'c2VncmVkbw' },
        body: { pix: [{ endToEndId: 'E0118152120261123130500123456789', valor: '150.50' }] },
      },
      reply: 'ok',
    },
  }),
]
