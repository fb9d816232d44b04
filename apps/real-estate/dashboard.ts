import { dashboardView } from '../../core/real-estate/dashboard.ts'
import { json } from '../http/replies/json-reply.ts'
import { route } from './api.ts'
import { EXAMPLE_MOMENT, exampleId } from './examples.ts'

export const dashboardRow = route({
  name: 'dashboard.read',
  area: 'Painel',
  summary: 'Mostra os números da imobiliária',
  paths: ['/api/dashboard'],
  dialect: 'estate',
  auth: 'member',
  permission: 'dashboard:read',
  run: ({ core, actor }) => core.dashboard.read(actor),
  reply: json({ view: dashboardView }),
  example: {
    given: 'agency',
    reply: {
      properties: { total: 1, available: 0, reserved: 0, rented: 1, sold: 0 },
      contracts: { active: 1, expiringSoon: 0, terminated: 0, cancelled: 0 },
      financial: {
        monthlyRevenue: 2500,
        pendingPayments: 1,
        pendingValue: 2500,
        defaultedPayments: 0,
        defaultedValue: 0,
        defaultRate: 0,
      },
      brokers: [{ id: exampleId(20), name: 'Bruno Lima', totalSales: 0, totalLeases: 1, conversionRate: 1 }],
      proposals: { underReview: 0, negotiating: 0, approved: 1, rejected: 0 },
      visits: { scheduled: 1, confirmed: 0, done: 0, cancelled: 0 },
      revenueByMonth: [
        { period: '2030-07', value: 0 },
        { period: '2030-08', value: 0 },
        { period: '2030-09', value: 2500 },
        { period: '2030-10', value: 2500 },
        { period: '2030-11', value: 2500 },
      ],
      generatedAt: EXAMPLE_MOMENT,
    },
  },
})
