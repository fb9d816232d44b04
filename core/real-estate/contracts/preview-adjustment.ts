import { isLeft } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { day } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import type { IndexFigure } from '../../ports/price-indexes.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { contractFields, indexFigureFields } from '../records/contract.ts'
import { type Adjustment, adjustmentOf, readFigures } from '../terms/adjustment.ts'
import { readContract } from './read-contract.ts'

/** For which day an adjustment is worked out. */
export const adjustmentDay = input('AdjustmentDay', {
  on: inQuery.day({ about: 'Dia para o qual se calcula; hoje, se não informado' }),
})
export type AdjustmentDay = InputOf<typeof adjustmentDay>

/** What the index of a contract makes of its value, without changing it. */
export const previewAdjustment =
  (ports: RealEstatePorts) =>
  (actor: Actor, id: string, given: AdjustmentDay = {}) =>
    withValidInput(ports, adjustmentDay, given, ({ on = dayOf(ports.clock.steady()) }) =>
      useCaseOf<Adjustment>()(async () => {
        const found = await readContract(ports)(actor, id)()
        if (isLeft(found)) return found
        const { contract } = found.right
        return adjustmentOf(contract, on, await readFigures(ports.indexes, contract, on))
      }),
    )

const figureView = view('IndexFigure', indexFigureFields, (of: IndexFigure) => of)

/** What an index makes of the value of a contract, as the API shows it. */
export const adjustmentView = view(
  'Adjustment',
  {
    contractId: guid({ about: 'Identificador do contrato' }),
    ...pick(contractFields, 'indexer'),
    since: day({ about: 'Desde quando vale o valor atual' }),
    dueOn: day({ about: 'Data-base a partir da qual vale o reajuste' }),
    figures: output.views(figureView, { about: 'As variações dos doze meses antes da data-base' }),
    measuredPercentage: output.number({ about: 'Variação acumulada, em %' }),
    appliedPercentage: output.number({ about: 'Variação aplicada, em %: a negativa só se foi combinado' }),
    ...pick(contractFields, 'valueCents'),
    newValueCents: output.money({ wire: 'newValue', about: 'Novo valor' }),
  },
  (of: Adjustment) => of,
)
