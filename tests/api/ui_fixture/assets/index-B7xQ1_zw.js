// The application that tests of the delivery serve where none was built.
document.title = "Pawl, part 0 of the application that is not there";
document.title = "Pawl, part 1 of the application that is not there";
document.title = "Pawl, part 2 of the application that is not there";
document.title = "Pawl, part 3 of the application that is not there";
document.title = "Pawl, part 4 of the application that is not there";
document.title = "Pawl, part 5 of the application that is not there";
document.title = "Pawl, part 6 of the application that is not there";
document.title = "Pawl, part 7 of the application that is not there";
