export const exampleId = (last: number): string => `3f2b8c1e-5d0a-4f6b-8a3c-${`${last}`.padStart(12, '0')}`

export const EXAMPLE_COMPANY = exampleId(1)
export const EXAMPLE_USER = exampleId(2)
export const EXAMPLE_MOMENT = '2030-11-21T13:05:09.123Z'

/** An address as a request sends it; replies show `EXAMPLE_ADDRESS`. */
export const SENT_ADDRESS = {
  street: 'Rua das Flores',
  number: '100',
  complement: null,
  neighborhood: 'Centro',
  city: 'São Paulo',
  state: 'SP',
  zipCode: '01310-100',
}
export const EXAMPLE_ADDRESS = { ...SENT_ADDRESS, zipCode: '01310100' }

const contractTerms = {
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

const sentContract = {
  type: 'Lease',
  propertyId: exampleId(30),
  clientId: exampleId(10),
  brokerId: exampleId(20),
  proposalId: null,
  ...contractTerms,
}

const shownContract = {
  id: exampleId(40),
  type: 'Lease',
  status: 'Active',
  endedOn: null,
  ...contractTerms,
  property: { id: exampleId(30), code: 'AP-101', address: EXAMPLE_ADDRESS },
  client: { id: exampleId(10), name: 'Maria da Silva' },
  broker: { id: exampleId(20), name: 'Bruno Lima' },
  proposalId: null,
  periods: [],
  createdAt: EXAMPLE_MOMENT,
  updatedAt: EXAMPLE_MOMENT,
}

/** A contract: its terms, as a request sends it, and as a list shows it. */
export const contractExample = { terms: contractTerms, sent: sentContract, shown: shownContract }

/** A payment as replies show it. */
export const paymentExample = {
  id: exampleId(50),
  type: 'Rent',
  period: '2030-11',
  value: 2500,
  dueDate: '2030-11-10',
  status: 'Pending',
  method: null,
  paidAt: null,
  paidValue: null,
  receivedValue: null,
  receiptUrl: null,
  notes: 'Primeiro aluguel.',
  boletoUrl: null,
  contractId: exampleId(40),
  contract: {
    id: exampleId(40),
    client: { id: exampleId(10), name: 'Maria da Silva' },
    property: { id: exampleId(30), code: 'AP-101' },
  },
  createdAt: EXAMPLE_MOMENT,
}
