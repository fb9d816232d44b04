import type { BankAnswer } from '../../ports/bank.ts'
import type { Charging } from '../../ports/charging.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'

const away = async (): Promise<BankAnswer<never>> => ({ outcome: 'unavailable' })
const nobody: Charging = { account: away, issue: away, find: away, cancel: away }

/** Who issues charges, or nobody, who never answers. */
export const chargingOf = ({ charging = nobody }: Pick<RealEstatePorts, 'charging'>): Charging => charging
