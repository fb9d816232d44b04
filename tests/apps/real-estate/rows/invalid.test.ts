import { invalidSuite } from '../../rows/invalid.ts'
import { estateRows } from './estate-rows.ts'

invalidSuite(estateRows)
