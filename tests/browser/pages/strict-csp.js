// What the policy forbids, and who adds a script to such a page has to do without.
const FORBIDDEN = [
  () => (document.createElement("div").innerHTML = "<b>markup</b>"),
  () => eval("1"),
  () => new Function("return 1"),
  () => trustedTypes.createPolicy("anything", {}),
  () => (document.createElement("script").text = "1"),
];

onAttack(() => {
  let refused = 0;
  for (const attempt of FORBIDDEN) {
    try {
      attempt();
    } catch {
      refused++;
    }
  }
  say(`refused ${refused} of ${FORBIDDEN.length}`);
});
