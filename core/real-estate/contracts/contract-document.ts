import { isLeft } from '../../failure.ts'
import { readUseCase } from '../../kernel/running/use-case.ts'
import { type Day, formatDay } from '../../kernel/values/day.ts'
import { formatReais } from '../../kernel/values/money.ts'
import { formatTaxId } from '../../kernel/values/tax-id.ts'
import type { ContractSection, PrintedContract } from '../../ports/documents.ts'
import { byId } from '../../ports/store.ts'
import type { Actor, RealEstatePorts } from '../real-estate-ports.ts'
import type { Contract } from '../records/contract.ts'
import { percentText } from '../records/fields.ts'
import { type Broker, type Client, type Company, clients, companies, users } from '../records/people.ts'
import { PROPERTY_TYPE_TEXTS, type Property } from '../records/property.ts'
import { type ContractDetail, readContract, type ShownContract } from './read-contract.ts'

export interface ContractPdf {
  readonly id: string
  readonly pdf: Uint8Array
}

export const printContract = (ports: RealEstatePorts) => (actor: Actor, id: string) =>
  readUseCase('contract.unknown', async () => {
    const found = await readContract(ports)(actor, id)()
    return isLeft(found) ? null : renderPdf(ports, found.right)
  })

const FINGERPRINT_CHARS = 32

const renderPdf = async (ports: RealEstatePorts, detail: ContractDetail): Promise<ContractPdf> => {
  const { store, digest, contractRenderer } = ports
  const { contract, property } = detail
  const company = await store.find(byId(companies, contract.companyId))
  const printed = printedContract(detail, company, await ownerOf(ports, property))
  const fingerprint = digest.sha256(JSON.stringify(printed)).slice(0, FINGERPRINT_CHARS)
  return { id: contract.id, pdf: await contractRenderer.contractPdf({ ...printed, fingerprint }) }
}

/** The owner of a property; a user has no tax id. */
type Owner = Pick<Client, 'name' | 'email'> & { readonly taxId: string | null }

const ownerOf = async ({ store }: Pick<RealEstatePorts, 'store'>, property: Property | null): Promise<Owner | null> => {
  if (property === null) return null
  const party = await store.find(byId(clients, property.ownerId))
  if (party?.companyId === property.companyId) return party
  const user = await store.find(byId(users, property.ownerId))
  return user?.companyId === property.companyId ? { name: user.name, email: user.email, taxId: null } : null
}

const TITLES = {
  Lease: 'Contrato de locação',
  Sale: 'Contrato de compra e venda',
  Management: 'Contrato de administração',
} as const satisfies Readonly<Record<Contract['type'], string>>

/** The roles of the property's owner and of the client. */
const ROLES = {
  Lease: ['Locador', 'Locatário'],
  Sale: ['Vendedor', 'Comprador'],
  Management: ['Proprietário', 'Contratante'],
} as const satisfies Readonly<Record<Contract['type'], readonly [owner: string, client: string]>>

const STATUSES = {
  Active: 'Ativo',
  Renewed: 'Renovado por outro contrato',
  Terminated: 'Rescindido',
  Cancelled: 'Cancelado',
} as const satisfies Readonly<Record<Contract['status'], string>>

const INDEXES = { IGPM: 'IGP-M', IPCA: 'IPCA', Fixed: 'Percentual fixo' } as const

/** The number of former periods that are printed, the newest. */
const MAX_PRINTED_PERIODS = 4

const UNNAMED = 'Imobiliária'

/** Builds the printed form of a contract; unknown facts are left out. */
const printedContract = (
  { contract: of, property, client: party, broker }: ShownContract,
  company: Company | null,
  owner: Owner | null,
): Omit<PrintedContract, 'fingerprint'> => {
  const [ownerRole, clientRole] = ROLES[of.type]
  const sections: readonly ContractSection[] = [
    {
      title: 'Partes',
      facts: [...partyFacts(ownerRole, owner), ...partyFacts(clientRole, party), ...brokerFacts(broker)],
    },
    {
      title: 'Imóvel',
      facts: [
        ...fact('Código', property?.code, plain),
        ...fact('Tipo', property?.type, (type) => PROPERTY_TYPE_TEXTS[type]),
        ...fact('Endereço', property, addressOf),
      ],
    },
    { title: 'Condições', facts: termFacts(of) },
    { title: 'Períodos anteriores', facts: periodFacts(of) },
  ]
  return {
    id: of.id,
    title: TITLES[of.type],
    agency: { name: company?.legalName ?? UNNAMED, document: company?.taxId ? formatTaxId(company.taxId) : null },
    sections: sections.filter(({ facts }) => facts.length > 0),
    signers: [
      { role: ownerRole, name: owner?.name ?? '' },
      { role: clientRole, name: party?.name ?? '' },
    ],
    updatedAt: of.updatedAt,
  }
}

type Fact = readonly [label: string, value: string]

const fact = <A>(label: string, value: A | null | undefined, format: (value: A) => string): readonly Fact[] =>
  value === null || value === undefined ? [] : [[label, format(value)]]
const plain = (text: string): string => text

const partyFacts = (role: string, of: Owner | null): readonly Fact[] => [
  ...fact(role, of?.name, plain),
  ...fact('CPF/CNPJ', of?.taxId, formatTaxId),
  ...fact('E-mail', of?.email, plain),
]

const brokerFacts = (of: Broker | null): readonly Fact[] => [
  ...fact('Corretor', of?.name, plain),
  ...fact('CRECI', of?.creci, plain),
]

const addressOf = ({ address }: Property): string => {
  const { street, number, complement, neighborhood, city, state, zipCode } = address
  const place = [`${street}, ${number}`, complement, neighborhood, `${city}/${state}`]
  return [...place.filter((part) => part !== null), `CEP ${zipCode.replace(/^(\d{5})(\d{3})$/, '$1-$2')}`].join(', ')
}

const termFacts = (of: Contract): readonly Fact[] => [
  ['Situação', STATUSES[of.status]],
  ['Vigência', daysText(of)],
  ['Valor', formatReais(of.valueCents)],
  ['Vencimento', `dia ${of.dueDay}`],
  ['Reajuste', adjustmentText(of)],
  ...fact('Multa por atraso', of.finePercentage, percentText),
  ...fact('Juros por atraso', of.interestPercentage, (value) => `${percentText(value)} ao mês`),
  ...fact('Desconto até o vencimento', of.discountValueCents, formatReais),
  ...fact('Taxa de administração', of.administrationPercentage, percentText),
  ...fact(
    'Multa por rescisão',
    of.terminationFineCents,
    (cents) => `${formatReais(cents)}, proporcional ao tempo que falta`,
  ),
]

const adjustmentText = ({ indexer, indexerPercentage, allowNegativeAdjustment }: Contract): string =>
  [
    indexerPercentage === null ? INDEXES[indexer] : `${INDEXES[indexer]} de ${percentText(indexerPercentage)}`,
    'a cada doze meses',
    ...(allowNegativeAdjustment ? ['também para menos'] : []),
  ].join(', ')

const periodFacts = ({ periods }: Contract): readonly Fact[] => {
  const shown = periods.slice(-MAX_PRINTED_PERIODS)
  const more = periods.length - shown.length
  return [
    ...(more > 0 ? [['Antes', `mais ${more} ${more === 1 ? 'período' : 'períodos'}`] as const] : []),
    ...shown.map((each): Fact => [daysText(each), formatReais(each.valueCents)]),
  ]
}

const daysText = ({ startDate, endDate }: { readonly startDate: Day; readonly endDate: Day }): string =>
  `${formatDay(startDate)} a ${formatDay(endDate)}`
