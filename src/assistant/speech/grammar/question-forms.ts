/**
 * The questions that speech recognition accepts. `(a | b)` is a choice, `[a]` is optional, words in capitals are
 * slots. The analyst answers or declines each of them.
 */
export const QUESTION_FORMS: readonly string[] = [
  // Health
  '(is | was) (anything | something) (broken | wrong | failing) [right now | TIME]',
  'is everything (ok | fine | healthy) [right now]',
  'how is the system [doing] [right now]',
  'how (is | was) SERVICE [doing] [right now | TIME]',
  'is SERVICE (ok | healthy | down | slow | broken | degraded) [right now]',
  'what is (wrong | broken | failing | slow | happening) [right now]',
  'what is (wrong | happening) (with | in) SERVICE',
  '(show me | what is) the (status | health) of (SERVICE | the system)',
  'give me (an overview | a summary) [of SERVICE]',
  'which (services | endpoints) are (unhealthy | degraded | failing | slow | affected) [right now]',
  'which (service | endpoint) (is | was) the (slowest | busiest) [TIME]',
  'which (service | endpoint) has the (most errors | most traffic | highest METRIC | lowest METRIC) [TIME]',

  // Causes
  'why (is | was) SERVICE (slow | failing | down | so slow) [TIME]',
  'why (is | was) (everything | the system | it) (slow | failing | so slow) [TIME]',
  'why (does | did) SERVICE fail [TIME]',
  'why (did | does) [the] METRIC [of SERVICE] (increase | go up | go down | drop) [TIME]',
  'why are there [so many] errors [in SERVICE]',
  '(what is | what was | find | tell me) the (root cause | cause | reason) [of (the errors | the problem | the latency)] [in SERVICE]',
  'what (causes | caused) (the errors | the problem | the latency) [in SERVICE] [TIME]',
  'what should i (do | look at | check) [first | next]',

  // Figures
  '(what is | what was | show me) the METRIC [of SERVICE] [TIME]',
  'how (slow | fast) (is | was) SERVICE [TIME]',
  'how many (requests | errors | exceptions | traces) (did SERVICE have | does SERVICE have | were there | are there) [TIME]',
  'is [the] METRIC [of SERVICE] (increasing | decreasing | rising | falling | getting worse | getting better)',
  'compare [SERVICE in] TIME (with | to) TIME',
  'compare SERVICE (with | to) (SERVICE | TIME)',
  'how does TIME compare (with | to) TIME',
  '(show me | what are) the trends [of SERVICE]',
  'did SERVICE get (slower | faster | worse | better) [TIME]',
  'what got (slower | worse | better) [TIME]',

  // Changes
  'what (has changed | changed) [in SERVICE] [TIME]',
  'what happened [in SERVICE | to SERVICE] [TIME]',
  '(was there a deployment | were there any deployments | show me the deployments) [of SERVICE] [TIME]',
  'what was deployed [TIME]',
  'when was SERVICE [last] deployed',
  'did the [last] deployment [of SERVICE] (break | change | cause) (anything | something | this)',
  'show me the (timeline | changes | regressions) [of SERVICE] [TIME]',
  'since when is SERVICE (slow | failing | down)',

  // Errors, traces, logs
  'show me [the] (errors | failed requests | slow requests | exceptions | warnings) [of SERVICE | in SERVICE] [TIME]',
  'show me [the] [latest | slowest] (traces | logs) [of SERVICE] [TIME]',
  'find (traces | requests) slower than AMOUNT (milliseconds | seconds) [in SERVICE] [TIME]',
  '(what are | show me) the (top errors | most common errors | slowest endpoints | slowest operations) [of SERVICE] [TIME]',
  'which (errors | exceptions) (does | did) SERVICE (have | throw) [TIME]',
  'are there [any] (errors | exceptions | anomalies) [in SERVICE] [TIME]',

  // Alerts and capacity
  '(are there [any] | show me [the]) [active | open] alerts [for SERVICE] [TIME]',
  'which alerts (are active | are open | fired) [TIME]',
  'is [any | a] service (under pressure | overloaded | saturated)',
  'where (is the bottleneck | are the (bottlenecks | pressure points))',
  '(what are | show me) the (pressure points | bottlenecks | alert rules)',
  'is there a network problem',
  'is the network slow [between SERVICE and SERVICE]',

  // Dependencies
  '(which service depends | which services depend) on SERVICE',
  'who (calls | uses) SERVICE',
  '(what | which services) does SERVICE (call | depend on | use)',
  '(show me | what are) the dependencies [of SERVICE]',
  'show me the service map',
  '(what | which services) would be affected if SERVICE (fails | is down)',

  // Inventory
  '(which | what) services (are there | do we have)',
  '(which | what) (operations | endpoints | metrics) does SERVICE have',
  'show me the (dashboard | dashboards | charts)',
  'show me (a chart of | the chart of) METRIC [of SERVICE] [TIME]',

  // The assistant itself
  'how many prompts (have i left | do i have left | have i used | are left)',
  'how much energy (have i left | do i have left | is left)',
  'how many speech minutes (have we left | are left)',
  'what can (you do | i ask)',
  'help',

  // Follow-ups
  '(and | what about) (SERVICE | TIME)',
  'why',
  'tell me more',
  '(show me more | more details)',
  'thank you',
];

/** Expansions of the slots, in the same notation. SERVICE stands for the Grid's names. */
export const FORM_SLOTS: Readonly<Record<string, string>> = {
  TIME: `([in] the last (hour | day | week | few minutes | COUNT (minutes | hours | days)) | [in] the past (hour | day | week | COUNT (minutes | hours | days))
    | today | yesterday | this morning | this afternoon | tonight | this week | last week | last night | an hour ago | a week ago | COUNT (minutes | hours | days) ago
    | (since | before | after | at) HOUR (am | pm) | (since | before | after | at) (noon | midnight) | since yesterday | since this morning | the hour before | the day before | now)`,
  METRIC: `(latency | average latency | median latency | p50 [latency] | p90 [latency] | p95 [latency] | p99 [latency] | response time | error rate | errors
    | request rate | requests per second | throughput | traffic | load | apdex | cpu [usage] | memory [usage] | utilization | queue length)`,
  COUNT: '(2 | 3 | 4 | 5 | 6 | 7 | 8 | 10 | 12 | 15 | 20 | 24 | 30 | 45 | 48 | 60 | 90)',
  HOUR: '(1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12)',
  AMOUNT: '(1 | 2 | 3 | 5 | 10 | 20 | 50 | 100 | 200 | 250 | 300 | 500 | 800)',
};

/** Spoken forms of words that are written differently. */
export const SPOKEN_FORMS: Readonly<Record<string, readonly string[]>> = {
  '1': ['one'],
  '2': ['two'],
  '3': ['three'],
  '4': ['four'],
  '5': ['five'],
  '6': ['six'],
  '7': ['seven'],
  '8': ['eight'],
  '9': ['nine'],
  '10': ['ten'],
  '11': ['eleven'],
  '12': ['twelve'],
  '15': ['fifteen'],
  '20': ['twenty'],
  '24': ['twenty four'],
  '30': ['thirty'],
  '45': ['forty five'],
  '48': ['forty eight'],
  '50': ['fifty'],
  '60': ['sixty'],
  '90': ['ninety'],
  '100': ['a hundred', 'one hundred'],
  '200': ['two hundred'],
  '250': ['two hundred fifty', 'two hundred and fifty'],
  '300': ['three hundred'],
  '500': ['five hundred'],
  '800': ['eight hundred'],
  p50: ['p fifty'],
  p90: ['p ninety'],
  p95: ['p ninety five'],
  p99: ['p ninety nine'],
  am: ['a m'],
  pm: ['p m'],
  ok: ['o k', 'okay'],
  cpu: ['c p u'],
  apdex: ['app dex', 'ap dex'],
};
