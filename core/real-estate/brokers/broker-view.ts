import { instant } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Store } from '../../ports/store.ts'
import { type Broker, brokerFields } from '../records/broker.ts'
import { type BrokerFigures, readBrokerFigures } from './broker-figures.ts'

/** A broker with what they have brought about. */
export type BrokerDetail = Broker & BrokerFigures

const NONE: BrokerFigures = { totalSales: 0, totalLeases: 0, conversionRate: 0 }

/** A broker of whom nothing is known yet. */
export const withoutFigures = (broker: Broker): BrokerDetail => ({ ...broker, ...NONE })

/** Brokers with their figures, read for all of them at once. */
export const withFigures = async (
  store: Store,
  companyId: string,
  brokers: readonly Broker[],
): Promise<readonly BrokerDetail[]> => {
  if (brokers.length === 0) return []
  const figures = await readBrokerFigures(
    store,
    companyId,
    brokers.map(({ id }) => id),
  )
  return brokers.map((broker) => ({ ...broker, ...(figures.get(broker.id) ?? NONE) }))
}

/** A broker as the API shows them. Source: 03-real-estate.md, Broker. */
export const brokerView = view(
  'Broker',
  {
    id: guid({ about: 'Identificador' }),
    ...brokerFields,
    totalSales: output.count({ about: 'Contratos de venda, menos os cancelados' }),
    totalLeases: output.count({ about: 'Contratos de locação, menos os cancelados' }),
    conversionRate: output.number({ about: 'Propostas que viraram contrato, do total delas; 4 casas decimais' }),
    createdAt: instant({ about: 'Criação' }),
    updatedAt: instant({ about: 'Última alteração' }),
  },
  (of: BrokerDetail) => of,
)
