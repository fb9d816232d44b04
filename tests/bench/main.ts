import { storeFigures } from './store.ts'
import { type Figure, tableOf } from './table.ts'

/** What `npm run bench` measures; every figure is a ratio within one run, so that machines compare. */
const measures: readonly (() => Promise<readonly Figure[]>)[] = [storeFigures]

const figures: Figure[] = []
for (const measure of measures) figures.push(...(await measure()))
console.log(tableOf(figures))
