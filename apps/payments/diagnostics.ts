import { viewEach } from '../../core/kernel/input/mod.ts'
import { bankTally, bankTallyRowView } from '../../core/payments/diagnostics.ts'
import { homeOf } from '../http/pages/home.ts'
import { json } from '../http/replies/json-reply.ts'
import { text } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { route } from './api.ts'

const shared = { area: 'Diagnóstico', dialect: 'bare', auth: 'public' } as const
/** These routes are public, and each uses the store. */
const rate = { perMinute: 60 }

/** Routes that show whether the server works. */
export const diagnosticRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'diagnostics.ok',
    summary: 'Diz que o servidor responde',
    paths: ['/'],
    ...homeOf({
      title: 'Portico: pagamentos',
      links: [
        { path: '/docs', about: 'a documentação, em que se experimenta cada rota' },
        { path: '/panel', about: 'o painel de quem recebe' },
      ],
      plain: 'ok',
    }),
    example: { data: 'ok' },
  }),
  route({
    ...shared,
    name: 'diagnostics.job',
    summary: 'Põe na fila um trabalho de teste, que não faz nada',
    paths: ['/jobTeste'],
    rate,
    run: ({ core }) => core.diagnostics.queueTestJob(),
    reply: text({ view: () => 'disparado!' }),
    example: { data: 'disparado!' },
  }),
  route({
    ...shared,
    name: 'diagnostics.tally',
    summary: 'Conta as cobranças de um banco por situação e meio de pagamento, em todas as contas',
    paths: ['/testee'],
    rate,
    input: { query: bankTally },
    run: ({ core }, { query }) => core.diagnostics.tallyByBank(query),
    reply: json({ view: viewEach(bankTallyRowView) }),
    example: {
      given: 'pendingCharge',
      request: { query: { dataInicio: '2030-11-30', dataFim: '2030-11-30', bankId: '25' } },
      data: [{ status_id: 1, method: 'pix', total: 1, status: { id: 1, title: 'pending', description: 'Pendente' } }],
    },
  }),
]
