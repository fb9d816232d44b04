import { input } from '../../core/kernel/input/input.ts'
import { inQuery } from '../../core/kernel/input/query.ts'
import { parseId } from '../../core/kernel/values/text.ts'
import { erasureView } from '../../core/payments/privacy/erasure.ts'
import type { PersonalDataPdf } from '../../core/payments/privacy/paper.ts'
import { type PersonalData, personalDataView } from '../../core/payments/privacy/personal-data.ts'
import { json } from '../http/replies/json-reply.ts'
import { bytes, fileOr, prefersPdf } from '../http/replies/raw-reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { route } from './api.ts'
import { clientExample } from './clients.ts'

const PDF = 'application/pdf'

const formatQuery = input('PersonalDataQuery', {
  format: inQuery.oneOf(['json', 'pdf'], { about: 'Em que formato; o que o cabeçalho Accept pede, se ausente' }),
})

const isPdf = (found: PersonalData | PersonalDataPdf): found is PersonalDataPdf => 'pdf' in found

const wantsPdf = (request: HttpRequest, format: 'json' | 'pdf' | undefined): boolean =>
  format === undefined ? prefersPdf(request.header('accept')) : format === 'pdf'

const pdfFile = bytes<PersonalDataPdf>({
  type: PDF,
  fileName: ({ clientId }) => `dados-pessoais-${clientId}.pdf`,
  headers: { Vary: 'Accept' },
  async *chunks({ pdf }) {
    yield pdf
  },
})

const MOMENT = '2030-11-21T10:05:09-03:00'

const erasureExample = {
  client_id: 1,
  status: 'processing',
  requested_at: MOMENT,
  completed_at: null,
  kept: [
    {
      record: 'audit',
      fields: ['action', 'subject', 'actor', 'created_at'],
      reason: 'Prova de que o pedido foi atendido: LGPD, arts. 16, I, e 37',
      until: null,
    },
  ],
}

const personalDataExample = {
  client: { ...clientExample, fb_id: null, removed_at: null },
  ...{ payer: null, charges: [], transactions: [], refunds: [], links: [] },
  ...{ messages: [], events: [], deliveries: [], audit: [], erasure: null },
  issued_at: MOMENT,
}

const shared = { area: 'Dados pessoais', dialect: 'v1', auth: 'organization' } as const

/** The rights of payers over their personal data. */
export const privacyRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'clients.personal-data',
    summary: 'Mostra todos os dados armazenados de um cliente, também em PDF',
    paths: ['/v1/clients/:id/personal-data'],
    permission: 'clients:read',
    input: { query: formatQuery },
    run: ({ core, actor, request }, { query: { format } }) => {
      const id = parseId(request.params.id ?? '')
      return wantsPdf(request, format)
        ? core.personalData.drawClient(actor, id)
        : core.personalData.readClient(actor, id)
    },
    reply: fileOr<PersonalDataPdf, PersonalData>(
      isPdf,
      pdfFile,
      json({
        view: personalDataView,
        message: 'Dados pessoais obtidos com sucesso.',
        headers: () => ({ Vary: 'Accept' }),
      }),
      [PDF],
    ),
    errors: { 'client.unknown': {} },
    example: { given: 'client', request: { params: { id: '1' } }, data: personalDataExample },
  }),
  route({
    ...shared,
    name: 'clients.erase',
    summary: 'Elimina os dados pessoais de um cliente, menos os que a lei manda guardar',
    methods: ['POST'],
    paths: ['/v1/clients/:id/erase'],
    permission: 'account:write',
    run: ({ core, actor, request }) => core.personalData.eraseClient(actor, parseId(request.params.id ?? '')),
    reply: json({ view: erasureView, message: 'Eliminação dos dados pessoais registrada.' }),
    errors: { 'client.unknown': {}, 'client.charges-open': {} },
    example: { given: 'client', request: { params: { id: '1' } }, data: erasureExample },
  }),
]
