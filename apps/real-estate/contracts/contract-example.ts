import { EXAMPLE_ADDRESS, EXAMPLE_MOMENT, exampleId } from '../examples.ts'

const agreed = {
  value: 2500,
  startDate: '2030-12-01',
  endDate: '2033-05-31',
  dueDay: 10,
  indexer: 'IGPM',
  indexerPercentage: null,
  documentUrl: 'https://docs.example.com/contrato.pdf',
  finePercentage: 10,
  interestPercentage: 1,
  discountValue: 50,
  administrationPercentage: 8.5,
  terminationFine: 7500,
  allowNegativeAdjustment: false,
}

const sent = {
  type: 'Lease',
  propertyId: exampleId(30),
  clientId: exampleId(10),
  brokerId: exampleId(20),
  proposalId: null,
  ...agreed,
}

const shown = {
  id: exampleId(40),
  type: 'Lease',
  status: 'Active',
  endedOn: null,
  ...agreed,
  property: { id: exampleId(30), code: 'AP-101', address: EXAMPLE_ADDRESS },
  client: { id: exampleId(10), name: 'Maria da Silva' },
  broker: { id: exampleId(20), name: 'Bruno Lima' },
  proposalId: null,
  periods: [],
  createdAt: EXAMPLE_MOMENT,
  updatedAt: EXAMPLE_MOMENT,
}

/** A contract as it is asked for, and as it is shown in a list. */
export const contractExample = { agreed, sent, shown }
