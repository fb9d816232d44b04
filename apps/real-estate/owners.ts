import { input } from '../../core/kernel/input/mod.ts'
import { type OwnerStatementPdf, ownerStatementView, periodFields } from '../../core/real-estate/owners.ts'
import { formatField, jsonOrPdf, wantsPdf } from '../http/replies/pdf-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { route } from './api.ts'
import { EXAMPLE_MOMENT, exampleId } from './examples.ts'

const statementQuery = input('OwnerStatementQuery', {
  ...periodFields,
  format: formatField,
})

export const ownerRows: readonly AnyRow[] = [
  route({
    area: 'Proprietários',
    dialect: 'estate',
    auth: 'member',
    name: 'owners.statement',
    summary: 'Mostra o que entrou e saiu para um proprietário num mês, também em PDF',
    paths: ['/api/owners/:id/statement'],
    permission: 'owners:read',
    input: { query: statementQuery },
    run: ({ core, actor, request }, { query: { period, format } }) => {
      const { owners } = core
      const id = request.params.id ?? ''
      return wantsPdf(request, format)
        ? owners.drawStatement(actor, id, { period })
        : owners.readStatement(actor, id, { period })
    },
    reply: jsonOrPdf({
      view: ownerStatementView,
      fileName: ({ ownerId, period }: OwnerStatementPdf) => `extrato-${ownerId}-${period}.pdf`,
    }),
    errors: { 'owner.unknown': {} },
    example: {
      given: 'owner',
      request: { params: { id: exampleId(10) }, query: { period: '2030-11' } },
      reply: {
        owner: { id: exampleId(10), name: 'Maria da Silva' },
        period: '2030-11',
        entries: [
          {
            paymentId: exampleId(50),
            contractId: exampleId(40),
            property: { id: exampleId(30), code: 'AP-101' },
            type: 'Rent',
            period: '2030-11',
            paidAt: EXAMPLE_MOMENT,
            flow: 'In',
            value: 2500,
            administrationPercentage: 8.5,
            administration: 212.5,
            notes: null,
          },
        ],
        totalIncome: 2500,
        totalAdministration: 212.5,
        totalExpenses: 0,
        net: 2287.5,
      },
    },
  }),
]
