import test from 'ava'
import { marked, testFiles, testsInFull, usualTests, wrongMarkers } from './selection.ts'

test('markers of test files are spelt as known and do not contradict each other', (t) => {
  t.deepEqual(wrongMarkers(), [])
})

test('every run has files, and no file of the long run is in npm test', (t) => {
  const long = marked('long')
  t.is(long.length + usualTests().length + 1, testFiles().length)
  for (const files of [long, marked('alone'), marked('mongodb'), marked('longMongodb'), testsInFull()])
    t.true(files.length > 4)
})
