// About: the team with a letter of its founder in a pop-up, and a vacancy that can be applied for.

import { asked, element, later, list, page } from "./elements.js";

const POST_MILLISECONDS = 250;

export const about = () => ({
  name: "about",
  async load() {
    return {
      parts: await page("about"),
      doors: [
        ["The team", team],
        ["Work with us", jobs],
      ],
    };
  },
});

const team = () => ({
  name: "team",
  async load() {
    const { people, letter } = await asked("/about/team");
    return { parts: [element("h2", "The team"), list(people)], doors: [["The founder", founder(letter)]] };
  },
});

const founder = (text) => () => ({
  name: "founder",
  async load() {
    const parts = [element("h2", "Ada"), element("p", "She built the first one, and answers the telephone on Fridays.")];
    return { parts, doors: [["Her letter to you", letter(text)]] };
  },
});

const letter = (text) => () => ({
  name: "letter",
  over: "popup",
  async load() {
    return { parts: [element("blockquote", text)] };
  },
});

const jobs = () => ({
  name: "jobs",
  async load() {
    const { vacancies, ...described } = await asked("/about/jobs");
    const doors = vacancies.map((job) => [`Vacancy: ${job}`, vacancy(job, described[job])]);
    return { parts: [element("h2", "Work with us"), list(vacancies)], doors };
  },
});

const vacancy = (job, wanted) => () => ({
  name: job,
  async load() {
    return { parts: [element("h2", `An ${job} who`), list(wanted)], doors: [[`Apply as ${job}`, apply(job)]] };
  },
});

const apply = (job) => () => ({
  name: "apply",
  async load() {
    const parts = [element("h2", "Apply"), element("p", `One click is enough: we call you. The job: ${job}.`)];
    return { parts, doors: [["Call me", thanks(job)]] };
  },
});

const thanks = (job) => () => ({
  name: "thanks",
  async load() {
    const { answer } = await asked("/applications", { method: "POST", body: new URLSearchParams({ job }) });
    await later(POST_MILLISECONDS);
    return { parts: [element("h2", "Thanks"), element("p", answer)] };
  },
});
