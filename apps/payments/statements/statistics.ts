import { viewEach } from '../../../core/kernel/input/mod.ts'
import {
  boletoCountsView,
  boletoStatistics,
  statisticsQuery,
  statisticsView,
} from '../../../core/payments/statements/statistics.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { bareRow } from './transactions.ts'

export const statisticRows: readonly AnyRow[] = [
  route({
    ...bareRow,
    name: 'statistics.read',
    summary: 'Mostra os números pedidos de um período',
    methods: ['POST'],
    paths: ['/consolidation/statistic/balance', '/consolidation/statistic/cards'],
    key: false,
    accountWritable: false,
    input: { body: statisticsQuery },
    run: ({ core, actor }, { body }) => core.statistics.read(actor, body),
    reply: json({ view: statisticsView }),
    example: {
      given: 'paidCharge',
      request: { body: { cards: ['PIXS_COUNT', 'PIX_IN_SUM'] } },
      data: { PIXS_COUNT: 1, PIX_IN_SUM: 150.5 },
    },
  }),
  route({
    ...bareRow,
    name: 'statistics.boletos',
    summary: 'Conta os boletos emitidos, dia a dia, mês a mês ou ano a ano, por situação',
    paths: ['/consolidation/statistic/boletos'],
    input: { query: boletoStatistics },
    run: ({ core, actor }, { query }) => core.statistics.countBoletos(actor, query),
    reply: json({ view: viewEach(boletoCountsView) }),
    example: {
      given: 'boletoCharge',
      data: [
        {
          date_group: '2030-11',
          qtd_pending: 1,
          qtd_paid: 0,
          qtd_cancelled: 0,
          qtd_expired: 0,
          qtd_failed: 0,
          qtd_deleted: 0,
          qtd_paidwithpix: 0,
        },
      ],
    },
  }),
]
